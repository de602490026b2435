import { useState } from 'react'
import { View } from 'react-native'
import { Button } from '../components/button.tsx'
import { CodeField } from '../components/code-field.tsx'
import { CodeScanner, canScan } from '../components/code-scanner'
import { UndoGuide } from '../components/permission-guide.tsx'
import { Body, Notice, Soft, Title } from '../components/text-parts.tsx'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import type { CodeProblem } from '../session/companion.states.ts'
import type { CameraProblem } from '../session/session.ports.ts'
import type { PhoneText } from '../texts/phone.ts'
import type { ScreenProps } from './screen.props.ts'

const problems: Readonly<Record<CodeProblem, PhoneText>> = {
  not_a_code: 'codeNotACode',
  not_found: 'codeNotFound',
  conflict: 'codeConflict',
  too_many: 'codeTooMany',
  unreachable: 'codeUnreachable',
}

/** Type the code, or scan it. */
export const CodeScreen = ({ state, actions }: ScreenProps<'code'>) => {
  const { t } = useTexts()
  const { styles } = useTheme()
  const [code, setCode] = useState('')
  const [scanning, setScanning] = useState(false)
  const wrong = state.problem === 'not_a_code' || state.problem === 'not_found'
  if (scanning)
    return (
      <ScanScreen
        onFound={(text) => {
          setScanning(false)
          actions.enter(text)
        }}
        onType={() => setScanning(false)}
      />
    )
  return (
    <>
      <Title>{t('codeTitle')}</Title>
      <Body>{t('codeText')}</Body>
      <CodeField value={code} wrong={wrong} onChange={setCode} onSubmit={() => actions.enter(code)} />
      {state.problem && <Notice>{t(problems[state.problem])}</Notice>}
      <View style={styles.buttons}>
        <Button
          kind="primary"
          label={state.busy ? t('codeBusy') : t('codeGo')}
          disabled={state.busy}
          onPress={() => actions.enter(code)}
        />
        {canScan() && <Button label={t('codeScan')} disabled={state.busy} onPress={() => setScanning(true)} />}
      </View>
      {canScan() && <Soft>{t('codeScanAsks')}</Soft>}
    </>
  )
}

const scanProblems: Readonly<Record<CameraProblem | 'no_decoder', PhoneText>> = {
  permission_denied: 'codeNoPermission',
  camera_busy: 'codeNoCamera',
  camera_missing: 'codeNoCamera',
  no_decoder: 'codeNoScan',
}

interface ScanProps {
  readonly onFound: (text: string) => void
  readonly onType: () => void
}

const ScanScreen = ({ onFound, onType }: ScanProps) => {
  const { t } = useTexts()
  const [problem, setProblem] = useState<CameraProblem | 'no_decoder'>()
  return (
    <>
      <Title>{t('codeScan')}</Title>
      {problem === undefined ? (
        <>
          <Body>{t('codeScanning')}</Body>
          <CodeScanner label={t('liveViewLabel')} onFound={onFound} onProblem={setProblem} />
        </>
      ) : (
        <>
          <Notice>{t(scanProblems[problem])}</Notice>
          {problem === 'permission_denied' && <UndoGuide />}
          <Button label={t('tryAgain')} onPress={() => setProblem(undefined)} />
        </>
      )}
      <Button label={t('codeScanStop')} onPress={onType} />
    </>
  )
}
