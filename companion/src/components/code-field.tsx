import { space } from '@integrity/protocol/clients/tokens'
import { useState } from 'react'
import { type NativeSyntheticEvent, TextInput, type TextInputChangeEventData, View } from 'react-native'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import { caretAfter, groupCode } from '../session/typed-code.ts'
import { Soft } from './text-parts.tsx'

interface Props {
  readonly value: string
  readonly wrong: boolean
  readonly onChange: (value: string) => void
  readonly onSubmit: () => void
}

const hintId = 'code-hint'

/** A browser says where the caret is; a phone says it later than what was typed. */
const caretOf = ({ target }: NativeSyntheticEvent<TextInputChangeEventData>): number | undefined =>
  (target as { readonly selectionStart?: number | null } | null)?.selectionStart ?? undefined

/** The code in its two groups while it is typed. The dash is put there without a word, so a screen reader reads what was typed. */
export const CodeField = ({ value, wrong, onChange, onSubmit }: Props) => {
  const { t } = useTexts()
  const { colours, styles } = useTheme()
  const [caret, setCaret] = useState({ start: 0, end: 0 })
  return (
    <View style={{ gap: space.s }}>
      <Soft>{t('codeLabel')}</Soft>
      <TextInput
        aria-label={t('codeLabel')}
        aria-describedby={hintId}
        aria-invalid={wrong}
        accessibilityHint={t('codeHint')}
        value={value}
        selection={caret}
        onChange={(event) => {
          const typed = event.nativeEvent.text
          const next = groupCode(typed, caretOf(event) ?? caretAfter(value, typed), value)
          setCaret({ start: next.caret, end: next.caret })
          onChange(next.text)
        }}
        onSelectionChange={({ nativeEvent }) => setCaret(nativeEvent.selection)}
        onSubmitEditing={onSubmit}
        autoCapitalize="characters"
        autoComplete="off"
        autoCorrect={false}
        spellCheck={false}
        enterKeyHint="go"
        maxLength={200}
        placeholderTextColor={colours.soft}
        style={styles.input}
      />
      <Soft id={hintId}>{t('codeHint')}</Soft>
    </View>
  )
}
