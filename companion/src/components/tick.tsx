import { phoneSizes, space } from '@integrity/protocol/clients/tokens'
import { Pressable, Text, View } from 'react-native'
import { useTheme } from '../hooks/use-theme.ts'

interface Props {
  readonly label: string
  readonly ticked: boolean
  readonly onPress: () => void
}

/** A line to tick. A button that is pressed or not, as react-native-web gives the space bar to buttons alone. */
export const Tick = ({ label, ticked, onPress }: Props) => {
  const { colours, styles } = useTheme()
  return (
    <Pressable
      role="button"
      aria-pressed={ticked}
      accessibilityState={{ selected: ticked }}
      onPress={onPress}
      style={{ minHeight: phoneSizes.button, flexDirection: 'row', alignItems: 'center', gap: space.m }}
    >
      <View
        style={{
          width: 28,
          height: 28,
          borderRadius: 6,
          borderWidth: phoneSizes.line,
          borderColor: ticked ? colours.accent : colours.line,
          backgroundColor: ticked ? colours.accent : colours.surface,
          alignItems: 'center',
          justifyContent: 'center',
        }}
      >
        {ticked && (
          <Text aria-hidden style={[styles.soft, { color: colours.onAccent, fontWeight: '700' }]}>
            ✓
          </Text>
        )}
      </View>
      <Text style={[styles.body, { flexShrink: 1, textAlign: 'auto' }]}>{label}</Text>
    </Pressable>
  )
}
