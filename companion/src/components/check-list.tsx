import { space } from '@integrity/protocol/clients/tokens'
import { Text, View } from 'react-native'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import type { Checks } from '../session/placement.ts'
import type { PhoneText } from '../texts/phone.ts'
import { Card, Heading } from './text-parts.tsx'

type Words = { readonly [Name in keyof Checks]: Readonly<Record<Checks[Name], PhoneText>> }

const names: Readonly<Record<keyof Checks, PhoneText>> = {
  light: 'checkLight',
  sharp: 'checkSharp',
  shape: 'checkShape',
  upright: 'checkUpright',
  steady: 'checkSteady',
}
const words: Words = {
  light: { good: 'checkLightGood', too_dark: 'checkTooDark', too_bright: 'checkTooBright', unknown: 'checkUnknown' },
  sharp: { good: 'checkSharpGood', blurred: 'checkBlurred', unknown: 'checkUnknown' },
  shape: { wide: 'checkWide', tall: 'checkTall', unknown: 'checkUnknown' },
  upright: { good: 'checkUprightGood', leaning: 'checkLeaning', unknown: 'checkNoSensor' },
  steady: { good: 'checkSteadyGood', moving: 'checkMoving', unknown: 'checkNoSensor' },
}
const order = ['light', 'sharp', 'shape', 'steady', 'upright'] as const

const textOf = <Name extends keyof Checks>(checks: Checks, name: Name): PhoneText => words[name][checks[name]]

const markOf = (value: Checks[keyof Checks]): '✓' | '!' | '–' => {
  if (value === 'unknown') return '–'
  return value === 'good' || value === 'wide' ? '✓' : '!'
}

/** What the phone can measure, as it is at this moment. A mark is beside words, never alone. */
export const CheckList = ({ checks }: { readonly checks: Checks }) => {
  const { t } = useTexts()
  const { colours, styles } = useTheme()
  return (
    <Card>
      <Heading>{t('checksTitle')}</Heading>
      <View role="status" aria-live="polite" style={{ gap: space.xs }}>
        {order.map((name) => {
          const mark = markOf(checks[name])
          return (
            <View key={name} style={{ flexDirection: 'row', gap: space.s }}>
              <Text
                aria-hidden
                style={[
                  styles.body,
                  { width: 24, flexShrink: 0, textAlign: 'center', fontWeight: '700' },
                  mark === '✓' && { color: colours.accent },
                  mark === '!' && { backgroundColor: colours.attention, color: colours.onAttention },
                ]}
              >
                {mark}
              </Text>
              <Text style={[styles.body, { flexShrink: 1 }]}>
                <Text style={{ fontWeight: '600' }}>{t(names[name])}: </Text>
                {t(textOf(checks, name))}
              </Text>
            </View>
          )
        })}
      </View>
    </Card>
  )
}
