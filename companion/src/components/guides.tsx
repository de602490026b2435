import { phoneColours, phoneSizes, space } from '@integrity/protocol/clients/tokens'
import { Text, View } from 'react-native'
import { useTexts } from '../hooks/use-texts.tsx'
import type { PhoneText } from '../texts/phone.ts'

/** Where things belong in the picture, in per cent of its width and height. */
const frames: readonly { readonly text: PhoneText; top: number; height: number; inset: number }[] = [
  { text: 'drawingScreen', top: 6, height: 52, inset: 7 },
  { text: 'drawingHands', top: 60, height: 34, inset: 7 },
]

/** A frame of two colours is seen on any ground. */
export const Guides = () => {
  const { t } = useTexts()
  const [dark, light] = [phoneColours.picture[0], phoneColours.onPicture[0]]
  return frames.map(({ text, top, height, inset }) => (
    <View
      key={text}
      aria-hidden
      pointerEvents="none"
      style={{
        position: 'absolute',
        top: `${top}%`,
        height: `${height}%`,
        left: `${inset}%`,
        right: `${inset}%`,
        borderWidth: phoneSizes.line,
        borderColor: dark,
      }}
    >
      <View style={{ flex: 1, borderWidth: phoneSizes.line, borderColor: light, borderStyle: 'dashed' }}>
        <Text style={{ alignSelf: 'flex-start', paddingHorizontal: space.s, backgroundColor: dark, color: light }}>
          {t(text)}
        </Text>
      </View>
    </View>
  ))
}
