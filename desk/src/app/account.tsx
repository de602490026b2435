import { openAccount } from '../browser/open-account.ts'
import { mount } from '@integrity/shared-ui/web/mount'
import { accountLanguages } from '../words/account.ts'
import { AccountPage } from '../rooms/sign-in/account-page.tsx'

mount({ languages: accountLanguages, content: <AccountPage open={openAccount()} /> })
