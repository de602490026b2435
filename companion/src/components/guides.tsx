import { phoneColours, phoneSizes } from '@integrity/protocol/clients/tokens'
import { View } from 'react-native'
import type { Step } from '../session/session.types.ts'

/** Where things belong in the picture, in per cent of its width and height. A frame of two colours is seen on any ground. */
const frames: Readonly<Record<Step, { top: number; height: number; inset: number }>> = {
  height: { top: 50, height: 50, inset: 0 },
  angle: { top: 20, height: 70, inset: 10 },
  screen_visible: { top: 8, height: 50, inset: 20 },
  hands_visible: { top: 55, height: 38, inset: 15 },
}

export const Guides = ({ step }: { readonly step: Step | undefined }) => {
  if (step === undefined) return null
  const { top, height, inset } = frames[step]
  const inside = {
    position: 'absolute',
    top: `${top}%`,
    height: `${height}%`,
    left: `${inset}%`,
    right: `${inset}%`,
  } as const
  return (
    <View
      aria-hidden
      pointerEvents="none"
      style={[inside, { borderWidth: phoneSizes.line, borderColor: phoneColours.picture[0] }]}
    >
      <View
        style={{ flex: 1, borderWidth: phoneSizes.line, borderColor: phoneColours.onPicture[0], borderStyle: 'dashed' }}
      />
    </View>
  )
}
