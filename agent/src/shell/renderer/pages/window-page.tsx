import { HelpLine } from '@integrity/shared-ui/web/help-line'
import type { ReactNode } from 'react'
import { useAgent } from '../components/agent.tsx'
import { Announcements } from '../components/announcements.tsx'
import { ConsentDraftProvider } from '../components/consent-draft.tsx'
import { useLanguage } from '../components/language.tsx'
import { Shell } from '../components/shell.tsx'
import { useBrand } from '../components/use-brand.ts'
import { percent } from '../state/formats.ts'
import { CheckPage } from './check-page.tsx'
import { CodePage } from './code-page.tsx'
import { ConsentPage } from './consent-page.tsx'
import { DonePage } from './done-page.tsx'
import { FailedPage, RefusedPage } from './ending-pages.tsx'
import { FinishingPage } from './finishing-page.tsx'
import { RecordingPage } from './recording-page.tsx'
import { UpdatePage } from './update-page.tsx'
import { JoiningPage, RegisteringPage } from './waiting-pages.tsx'

type Screen = ReturnType<typeof useAgent>['state']['screen']

const pages: Readonly<Record<Screen, () => ReactNode>> = {
  code: CodePage,
  joining: JoiningPage,
  consent: ConsentPage,
  check: CheckPage,
  registering: RegisteringPage,
  recording: RecordingPage,
  // The same page, so that whoever paused stands on the button to go on.
  paused: RecordingPage,
  finishing: FinishingPage,
  done: DonePage,
  refused: RefusedPage,
  failed: FailedPage,
  update_required: UpdatePage,
}

const UpdateLine = () => {
  const { t, language } = useLanguage()
  const { update, screen } = useAgent().state
  const { state, version = '', receivedBytes = 0, totalBytes } = update
  if (screen === 'update_required' || state === 'none' || state === 'below_minimum') return null
  const share = totalBytes ? percent(receivedBytes / totalBytes, language.code) : '…'
  return <p>{t(`update.${state}`, { version, percent: share })}</p>
}

const Footer = () => {
  const { t } = useLanguage()
  const { version, session } = useAgent().state
  const contact = session?.privacyContact
  return (
    <>
      <UpdateLine />
      <HelpLine
        contact={contact === undefined ? undefined : { text: contact }}
        inviter={session?.inviter}
        session={session?.id}
      />
      <p>{t('version', { version })}</p>
    </>
  )
}

/** The page of the screen that the core says. */
export const WindowPage = () => {
  const { screen, session } = useAgent().state
  const Current = pages[screen]
  const brand = useBrand()
  return (
    <Shell org={session?.orgName} brand={brand} footer={<Footer />}>
      <Announcements />
      <ConsentDraftProvider key={session?.id}>
        <Current key={screen === 'paused' ? 'recording' : screen} />
      </ConsentDraftProvider>
    </Shell>
  )
}
