import { Actions, Button } from '@integrity/shared-ui/web/button'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Notice, Page, Shell } from '@integrity/shared-ui/web/shell'
import { Visited } from '@integrity/shared-ui/web/visited'
import { useState } from 'react'
import { takeArrivedChat } from '../../browser/arrived-chat.ts'
import type { OpenAccount } from '../../browser/open-account.ts'
import { makePasskey } from '../../browser/passkeys.ts'
import type { Account } from '../../data/account-api.ts'
import { AgreementPage } from './agreement-page.tsx'
import { AppPage } from './app-page.tsx'
import { CodesPage } from './codes-page.tsx'
import { type Change, FactorsSection } from './factors-section.tsx'
import { useLanguage } from './language.ts'
import { NameForm } from './name-form.tsx'
import { ProofPage } from './proof-page.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { SignInsSection } from './sign-ins-section.tsx'

/** What is being done in place of the account itself. */
type Doing =
  | { readonly kind: 'proof'; readonly change: Change }
  | { readonly kind: 'app'; readonly secret: string; readonly uri: string }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

/** The changes of the second factor, one step after the other. */
const useChanges = ({ own, visit }: OpenAccount) => {
  const { language } = useLanguage()
  const [doing, setDoing] = useState<Doing>()
  const [refused, setRefused] = useState(false)
  const locale = language.code
  const done = async (codes: readonly string[] | null = null) => {
    await visit.refresh()
    setDoing(codes === null ? undefined : { kind: 'codes', codes })
  }
  const addPasskey = async (password: string) => {
    const { options } = (await own.call('auth.factors.passkeys.begin', { body: { password } })).data
    const credential = await makePasskey(options)
    if (!credential) {
      setRefused(true)
      return setDoing(undefined)
    }
    const { data } = await own.call('auth.factors.passkeys.add', { body: { credential, locale } })
    await done(data.recoveryCodes)
  }
  const proceed = async (change: Change, password: string): Promise<void> => {
    if (change.kind === 'passkey') return addPasskey(password)
    if (change.kind === 'app') {
      const { secret, uri } = (await own.call('auth.factors.totp.begin', { body: { password } })).data
      return setDoing({ kind: 'app', secret, uri })
    }
    if (change.kind === 'codes')
      return done((await own.call('auth.factors.recoveryCodes.renew', { body: { password } })).data.recoveryCodes)
    await own.call('auth.factors.remove', { params: { factorId: change.id }, body: { password, locale } })
    return done()
  }
  const confirm = async (code: string) => {
    const { data } = await own.call('auth.factors.totp.confirm', { body: { code, locale } })
    await done(data.recoveryCodes)
  }
  const begin = (change: Change) => {
    setRefused(false)
    setDoing({ kind: 'proof', change })
  }
  return { doing, refused, begin, proceed, confirm, leave: () => setDoing(undefined) }
}

interface Props {
  readonly open: OpenAccount
  readonly account: Account
  readonly chat: ReturnType<typeof takeArrivedChat>
}

const SignedIn = ({ open, account: { email, name, factors, signIns, isLimited }, chat }: Props) => {
  const { t } = useLanguage()
  const { own, visit } = open
  const { doing, refused, begin, proceed, confirm, leave } = useChanges(open)
  if (isLimited || open.agreement.token() !== undefined) return <AgreementPage open={open} email={email} />
  if (doing?.kind === 'proof')
    return <ProofPage onProof={(password) => proceed(doing.change, password)} onCancel={leave} />
  if (doing?.kind === 'app') return <AppPage {...doing} onCode={confirm} onCancel={leave} />
  if (doing?.kind === 'codes') return <CodesPage codes={doing.codes} onKept={leave} />
  const afterwards = async (act: () => Promise<unknown>) => {
    await act()
    await visit.refresh()
  }
  return (
    <Page key="account" title={t('accountTitle')}>
      {chat && <Notice>{t(chat === 'installed' ? 'chatInstalled' : 'chatDeclined')}</Notice>}
      <p>{t('signedInAs', { email })}</p>
      <AlertNotice>{refused ? t('passkeyFailed') : null}</AlertNotice>
      <NameForm
        name={name ?? ''}
        onSave={(said) => afterwards(() => own.call('auth.me.rename', { body: { name: said } }))}
      />
      <FactorsSection factors={factors} onChange={begin} />
      <SignInsSection
        signIns={signIns}
        onEnd={(signInId) => afterwards(() => own.call('auth.signIns.end', { params: { signInId } }))}
        onEndOthers={() => afterwards(() => own.call('auth.signIns.endOthers'))}
      />
      <Actions>
        <Button onClick={() => void afterwards(() => own.call('auth.logout')).catch(() => undefined)}>
          {t('signOut')}
        </Button>
      </Actions>
    </Page>
  )
}

/** Where people sign in, and see to how. */
export const AccountPage = ({ open }: { readonly open: OpenAccount }) => {
  const [chat] = useState(takeArrivedChat)
  return (
    <Shell footer={<HelpLine otherwise="helpManager" />}>
      <Visited visit={open.visit}>
        {({ account }) =>
          account ? <SignedIn open={open} account={account} chat={chat} /> : <SignInPage open={open} />
        }
      </Visited>
    </Shell>
  )
}
