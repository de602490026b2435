import { pickLanguage } from '@integrity/protocol/clients/language'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { FailureBoundary } from './components/failure-boundary.tsx'
import { Page } from './components/page.tsx'
import { BrandContext, PairingContext, ServiceContext, useBrandOf } from './hooks/use-brand.ts'
import { useScheme } from './hooks/use-scheme'
import { WordsContext, wordsOf } from './hooks/use-texts.tsx'
import { ThemeContext, useThemeOf } from './hooks/use-theme.ts'
import { openPlatform } from './platform/open-platform'
import { CodeScreen } from './screens/code-screen.tsx'
import { ConsentScreen } from './screens/consent-screen.tsx'
import {
  DeclinedScreen,
  DoneScreen,
  ElsewhereScreen,
  LeavingScreen,
  OpeningScreen,
  UnsupportedScreen,
} from './screens/ending-screens.tsx'
import { LiveScreen } from './screens/live-screen.tsx'
import { PlacementScreen } from './screens/placement-screen.tsx'
import { Companion } from './session/companion.machine.ts'
import type { CompanionState } from './session/companion.states.ts'
import { phoneLanguages } from './texts/phone.ts'

/** The side view keeps its own frame: what stops it stays in view. */
const Screen = ({ companion, state }: { readonly companion: Companion; readonly state: CompanionState }) =>
  state.name === 'live' ? (
    <LiveScreen state={state} actions={companion} />
  ) : (
    <Page>
      <Inside companion={companion} state={state} />
    </Page>
  )

/** One screen for each other state. */
const Inside = ({
  companion,
  state,
}: {
  readonly companion: Companion
  readonly state: Exclude<CompanionState, { name: 'live' }>
}) => {
  switch (state.name) {
    case 'opening':
      return <OpeningScreen />
    case 'unsupported':
      return <UnsupportedScreen state={state} />
    case 'elsewhere':
      return <ElsewhereScreen actions={companion} />
    case 'code':
      return <CodeScreen state={state} actions={companion} />
    case 'consent':
      return <ConsentScreen state={state} actions={companion} />
    case 'declined':
      return <DeclinedScreen state={state} actions={companion} />
    case 'placement':
      return <PlacementScreen state={state} actions={companion} />
    case 'leaving':
      return <LeavingScreen state={state} actions={companion} />
    case 'done':
      return <DoneScreen state={state} actions={companion} />
  }
}

export const App = () => {
  const [platform] = useState(openPlatform)
  const [companion] = useState(() => new Companion(platform.ports))
  const [language, choose] = useState(() => pickLanguage(phoneLanguages, [platform.languageTag]))
  const state = useSyncExternalStore(companion.subscribe, companion.snapshot)
  const brand = useBrandOf('pairing' in state ? state.pairing : undefined, platform.service)
  const scheme = useScheme()
  const theme = useThemeOf(scheme, brand?.colours?.[scheme])
  const words = useMemo(() => wordsOf(language, choose), [language])
  useEffect(() => platform.showLanguage(language), [platform, language])
  useEffect(() => platform.showColours(brand?.colours), [platform, brand])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a document may come up after the language was chosen
  useEffect(() => companion.relocalise(language.code), [companion, language, state.name])
  useEffect(() => {
    companion.start(platform.takeLink())
  }, [companion, platform])
  return (
    <ThemeContext value={theme}>
      <WordsContext value={words}>
        <FailureBoundary onFailure={() => companion.suspend()} onAgain={() => companion.takeOver()}>
          <BrandContext value={brand}>
            <PairingContext value={'pairing' in state ? state.pairing : undefined}>
              <ServiceContext value={platform.service()}>
                <Screen companion={companion} state={state} />
              </ServiceContext>
            </PairingContext>
          </BrandContext>
        </FailureBoundary>
      </WordsContext>
    </ThemeContext>
  )
}
