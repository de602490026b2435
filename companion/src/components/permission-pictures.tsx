import { phoneSizes, space } from '@integrity/protocol/clients/tokens'
import { Text, View } from 'react-native'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import type { System } from '../platform/system.types.ts'
import type { PhoneText } from '../texts/phone.ts'

/** What a dialog offers, in its order; the one to press stands out. */
const choices: Readonly<
  Record<System, { readonly row: boolean; readonly all: readonly PhoneText[]; readonly press: PhoneText }>
> = {
  ios: { row: true, all: ['dialogNo', 'dialogYes'], press: 'dialogYes' },
  iosApp: { row: true, all: ['dialogNo', 'dialogYes'], press: 'dialogYes' },
  android: { row: false, all: ['dialogYesSite', 'dialogOnce', 'dialogNo'], press: 'dialogYesSite' },
  androidApp: { row: false, all: ['dialogYesApp', 'dialogOnce', 'dialogNo'], press: 'dialogYesApp' },
  computer: { row: false, all: ['dialogYesSite', 'dialogOnce', 'dialogNo'], press: 'dialogYesSite' },
}

const useBox = () => {
  const { colours } = useTheme()
  return {
    borderWidth: 1,
    borderColor: colours.line,
    borderRadius: phoneSizes.radiusL,
    backgroundColor: colours.ground,
  }
}

const Choice = ({ text, press }: { readonly text: PhoneText; readonly press: boolean }) => {
  const { t } = useTexts()
  const { colours, styles } = useTheme()
  return (
    <View
      style={{
        flexGrow: 1,
        padding: space.s,
        borderRadius: phoneSizes.radiusM,
        alignItems: 'center',
        backgroundColor: press ? colours.accent : colours.ground,
      }}
    >
      <Text style={[styles.soft, { textAlign: 'center' }, press && { color: colours.onAccent, fontWeight: '700' }]}>
        {t(text)}
      </Text>
    </View>
  )
}

/** The dialog of the system, drawn. What it says is beside it in words, so a screen reader is not read a picture. */
export const DialogPicture = ({ system, site }: { readonly system: System; readonly site: string }) => {
  const { t } = useTexts()
  const { styles } = useTheme()
  const { row, all, press } = choices[system]
  return (
    <View
      aria-hidden
      style={[useBox(), { padding: space.m, gap: space.s, width: '100%', maxWidth: 300, alignSelf: 'center' }]}
    >
      <Text style={[styles.soft, { textAlign: 'center', fontWeight: '600' }]}>{t('dialogPage', { site })}</Text>
      <View style={{ flexDirection: row ? 'row' : 'column', gap: space.xs }}>
        {all.map((text) => (
          <Choice key={text} text={text} press={text === press} />
        ))}
      </View>
    </View>
  )
}

/** Where a refusal is taken back: the sign beside the address, and the line of the camera behind it. */
export const SettingsPicture = ({ system, site }: { readonly system: System; readonly site: string }) => {
  const { t } = useTexts()
  const { colours, styles } = useTheme()
  const box = useBox()
  const inApp = system === 'iosApp' || system === 'androidApp'
  const line = { flexDirection: 'row', alignItems: 'center', gap: space.s, padding: space.s } as const
  return (
    <View aria-hidden style={{ gap: space.xs, width: '100%', maxWidth: 300, alignSelf: 'center' }}>
      {!inApp && (
        <View style={[box, line, { borderRadius: 22 }]}>
          <View style={{ width: 24, height: 24, borderRadius: 12, borderWidth: 3, borderColor: colours.accent }} />
          <Text style={styles.soft}>{site}</Text>
        </View>
      )}
      <View style={[box, line, { justifyContent: 'space-between' }]}>
        <Text style={styles.soft}>{t('dialogCamera')}</Text>
        <View style={{ backgroundColor: colours.accent, borderRadius: phoneSizes.radiusM, paddingHorizontal: space.m }}>
          <Text style={[styles.soft, { color: colours.onAccent, fontWeight: '700' }]}>{t('dialogYes')}</Text>
        </View>
      </View>
    </View>
  )
}
