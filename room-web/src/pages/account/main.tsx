import { openAccount } from '../../browser/open-account.ts'
import { mount } from '@integrity/shared-ui/web/mount'
import { accountLanguages } from '../../texts/account.ts'
import { AccountPage } from './account-page.tsx'

mount({ languages: accountLanguages, content: <AccountPage open={openAccount()} /> })
