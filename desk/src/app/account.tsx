import { mount } from '@integrity/shared-ui/web/mount'
import { openAccount } from '../browser/open-account.ts'
import { AccountPage } from '../rooms/sign-in/account-page.tsx'
import { accountLanguages } from '../words/account.ts'

mount({ languages: accountLanguages, content: <AccountPage open={openAccount()} /> })
