import { Pressable, Text } from 'react-native'
import { useTheme } from '../hooks/use-theme.ts'

interface Props {
  readonly label: string
  readonly onPress: () => void
  /** `stop`: ends what cannot be taken up again. */
  readonly kind?: 'primary' | 'plain' | 'stop'
  readonly disabled?: boolean
}

const labelColours = { primary: 'onAccent', plain: 'accent', stop: 'onRed' } as const

/** At least 48 by 48 (WCAG 2.2, 2.5.8 asks for 24; fingers ask for 44). */
export const Button = ({ label, onPress, kind = 'plain', disabled = false }: Props) => {
  const { colours, styles } = useTheme()
  return (
    <Pressable
      role="button"
      disabled={disabled}
      onPress={onPress}
      style={[styles.button, styles[kind], disabled && styles.resting]}
    >
      <Text style={[styles.buttonText, { color: colours[labelColours[kind]] }]}>{label}</Text>
    </Pressable>
  )
}
