import type { ReactNode } from 'react'
import { Text, View } from 'react-native'
import { useFocus } from '../hooks/use-focus.ts'
import { useTheme } from '../hooks/use-theme.ts'

interface Props {
  readonly children: ReactNode
}

/** The screen's one title. It takes the focus when it appears. */
export const Title = ({ children }: Props) => {
  const focus = useFocus()
  const { styles } = useTheme()
  return (
    <Text ref={focus} role="heading" aria-level={1} tabIndex={-1} style={styles.title}>
      {children}
    </Text>
  )
}

export const Heading = ({ children }: Props) => (
  <Text role="heading" aria-level={2} style={useTheme().styles.heading}>
    {children}
  </Text>
)
export const Body = ({ children }: Props) => <Text style={useTheme().styles.body}>{children}</Text>
export const Soft = ({ id, children }: Props & { readonly id?: string }) => (
  <Text id={id} style={useTheme().styles.soft}>
    {children}
  </Text>
)
export const Card = ({ children }: Props) => <View style={useTheme().styles.card}>{children}</View>

/** Said by a screen reader as soon as it appears or changes. */
export const Notice = ({ children }: Props) => {
  const { styles } = useTheme()
  return (
    <View style={styles.notice} role="status" aria-live="polite">
      <Text style={styles.noticeText}>{children}</Text>
    </View>
  )
}

/** A name and its value. */
export const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => {
  const { styles } = useTheme()
  return (
    <View style={[styles.row, { justifyContent: 'space-between', rowGap: 0 }]}>
      <Text style={styles.soft}>{name}</Text>
      <Text style={[styles.body, { fontVariant: ['tabular-nums'] }]}>{value}</Text>
    </View>
  )
}
