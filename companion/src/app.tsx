import { pickLanguage } from '@integrity/protocol/clients/language'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Page } from './components/page.tsx'
import { useScheme } from './hooks/use-scheme'
import { WordsContext, wordsOf } from './hooks/use-texts.tsx'
import { ThemeContext, themes } from './hooks/use-theme.ts'
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
import { languages } from './texts/languages.ts'

/** One screen for each state. */
const Screen = ({ companion }: { readonly companion: Companion }) => {
  const state = useSyncExternalStore(companion.subscribe, companion.snapshot)
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
    case 'live':
      return <LiveScreen state={state} actions={companion} />
    case 'leaving':
      return <LeavingScreen state={state} actions={companion} />
    case 'done':
      return <DoneScreen state={state} actions={companion} />
  }
}

export const App = () => {
  const [platform] = useState(openPlatform)
  const [companion] = useState(() => new Companion(platform.ports))
  const [language, choose] = useState(() => pickLanguage(languages, [platform.languageTag]))
  const theme = themes[useScheme()]
  const words = useMemo(() => wordsOf(language, choose), [language])
  useEffect(() => platform.showLanguage(language), [platform, language])
  useEffect(() => {
    companion.start(platform.takeLink())
  }, [companion, platform])
  return (
    <ThemeContext value={theme}>
      <WordsContext value={words}>
        <Page>
          <Screen companion={companion} />
        </Page>
      </WordsContext>
    </ThemeContext>
  )
}
