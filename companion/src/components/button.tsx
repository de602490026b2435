import { Pressable, Text } from 'react-native'
import { useTheme } from '../hooks/use-theme.ts'

interface Props {
  readonly label: string
  readonly onPress: () => void
  readonly kind?: 'primary' | 'plain'
  readonly disabled?: boolean
}

/** At least 48 by 48 (WCAG 2.2, 2.5.8 asks for 24; fingers ask for 44). */
export const Button = ({ label, onPress, kind = 'plain', disabled = false }: Props) => {
  const { colours, styles } = useTheme()
  return (
    <Pressable
      role="button"
      disabled={disabled}
      onPress={onPress}
      style={[styles.button, kind === 'primary' ? styles.primary : styles.plain, disabled && styles.resting]}
    >
      <Text style={[styles.buttonText, { color: kind === 'primary' ? colours.onAccent : colours.accent }]}>
        {label}
      </Text>
    </Pressable>
  )
}
