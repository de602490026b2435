import { phoneColours, phoneSizes, space } from '@integrity/protocol/clients/tokens'
import { Pressable, Text, View } from 'react-native'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'

interface Props {
  /** What goes on behind it. */
  readonly text: string
  readonly recording: boolean
  readonly onWake: () => void
}

const [black, white] = [phoneColours.picture[0], phoneColours.onPicture[0]]

/** Nearly dark, as a screen that shines for an hour wants power and eyes. What goes on is still said. */
export const Cover = ({ text, recording, onWake }: Props) => {
  const { t } = useTexts()
  const { styles } = useTheme()
  return (
    <View
      role="region"
      aria-label={t('dimLabel')}
      style={{ position: 'absolute', top: 0, bottom: 0, left: 0, right: 0, backgroundColor: black }}
    >
      <Pressable
        role="button"
        onPress={onWake}
        style={{
          flex: 1,
          justifyContent: 'center',
          alignItems: 'center',
          gap: space.m,
          padding: space.l,
          opacity: 0.6,
        }}
      >
        <View style={[styles.row, { flexWrap: 'nowrap' }]}>
          <View
            aria-hidden
            style={{
              width: 14,
              height: 14,
              borderRadius: recording ? 7 : 2,
              backgroundColor: recording ? white : black,
              borderWidth: phoneSizes.line,
              borderColor: white,
            }}
          />
          <Text style={[styles.heading, { color: white, flexShrink: 1 }]}>{text}</Text>
        </View>
        <Text style={[styles.body, { color: white, textAlign: 'center' }]}>{t('dimWake')}</Text>
      </Pressable>
    </View>
  )
}
