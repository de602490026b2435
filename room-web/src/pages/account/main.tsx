import { openAccount } from '../../browser/open-account.ts'
import { mount } from '../../components/mount.tsx'
import { accountLanguages } from '../../texts/account.ts'
import { AccountPage } from './account-page.tsx'

mount({ languages: accountLanguages, content: <AccountPage open={openAccount()} /> })
