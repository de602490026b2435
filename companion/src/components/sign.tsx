import { phoneSizes } from '@integrity/protocol/clients/tokens'
import { Text, View } from 'react-native'
import { useTheme } from '../hooks/use-theme.ts'

const signs = { wait: '…', done: '✓', off: '–', trouble: '!', info: 'i' } as const

/** What kind of a screen it is, before a word of it is read; the same as on the pages and in the window. */
export const Sign = ({ name }: { readonly name: keyof typeof signs }) => {
  const { colours, styles } = useTheme()
  return (
    <View
      aria-hidden
      style={{
        width: phoneSizes.target,
        height: phoneSizes.target,
        borderRadius: phoneSizes.target / 2,
        borderWidth: phoneSizes.line,
        borderColor: colours.text,
        alignItems: 'center',
        justifyContent: 'center',
      }}
    >
      <Text style={[styles.title, { lineHeight: phoneSizes.target }]}>{signs[name]}</Text>
    </View>
  )
}
