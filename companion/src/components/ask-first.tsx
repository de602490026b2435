import { useState } from 'react'
import { View } from 'react-native'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import type { PhoneText } from '../texts/phone.ts'
import { Button } from './button.tsx'
import { Heading, Soft } from './text-parts.tsx'

interface Props {
  readonly label: PhoneText
  readonly question: PhoneText
  readonly text: PhoneText
  readonly yes: PhoneText
  readonly no: PhoneText
  readonly onYes: () => void
}

/** A button for what cannot be taken back: it asks once more. */
export const AskFirst = ({ label, question, text, yes, no, onYes }: Props) => {
  const { t } = useTexts()
  const { styles } = useTheme()
  const [asking, setAsking] = useState(false)
  if (!asking) return <Button label={t(label)} onPress={() => setAsking(true)} />
  return (
    <View role="status" aria-live="polite" style={[styles.card]}>
      <Heading>{t(question)}</Heading>
      <Soft>{t(text)}</Soft>
      <View style={styles.buttons}>
        <Button kind="stop" label={t(yes)} onPress={onYes} />
        <Button label={t(no)} onPress={() => setAsking(false)} />
      </View>
    </View>
  )
}

/** Lets go of the phone before the side view has begun. */
export const Disconnect = ({ onYes }: Pick<Props, 'onYes'>) => (
  <AskFirst
    label="disconnect"
    question="disconnectSure"
    text="disconnectText"
    yes="disconnectYes"
    no="stopNo"
    onYes={onYes}
  />
)
