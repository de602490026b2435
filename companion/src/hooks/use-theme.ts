import { createContext, useContext, useMemo } from 'react'
import { StyleSheet } from 'react-native'

/** All pairs that are used together have a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
const light = {
  page: '#f6f7f9',
  card: '#ffffff',
  text: '#16202c',
  soft: '#465365',
  line: '#7d8a99',
  action: '#0b57d0',
  onAction: '#ffffff',
  recording: '#b3261e',
  onRecording: '#ffffff',
  interrupted: '#573a00',
  onInterrupted: '#ffffff',
  notice: '#fff3d1',
  onNotice: '#573a00',
}
type Colours = typeof light
const dark: Colours = {
  page: '#11161d',
  card: '#1c242e',
  text: '#e8edf3',
  soft: '#b5c0cc',
  line: '#8593a3',
  action: '#8ab4f8',
  onAction: '#0b1b33',
  recording: '#b3261e',
  onRecording: '#ffffff',
  interrupted: '#ffcf70',
  onInterrupted: '#2b1d00',
  notice: '#3b2e0d',
  onNotice: '#ffe3a3',
}

/** Of the surfaces that have `action` on them, and of the texts on it, the one that is nearest to it. */
export const accentGrounds = { light: light.page, dark: dark.card } as const

/** No side is named left or right, so that a language from right to left needs nothing of its own. */
const stylesOf = (colours: Colours) =>
  StyleSheet.create({
    page: { flex: 1, backgroundColor: colours.page },
    column: { width: '100%', maxWidth: 560, alignSelf: 'center', padding: 16, gap: 16 },
    title: { fontSize: 26, lineHeight: 34, fontWeight: '700', color: colours.text },
    heading: { fontSize: 18, lineHeight: 26, fontWeight: '600', color: colours.text },
    body: { fontSize: 17, lineHeight: 26, color: colours.text },
    soft: { fontSize: 15, lineHeight: 22, color: colours.soft },
    card: { backgroundColor: colours.card, borderRadius: 12, padding: 16, gap: 8 },
    row: { flexDirection: 'row', flexWrap: 'wrap', gap: 12, alignItems: 'center' },
    buttons: { flexDirection: 'row', flexWrap: 'wrap', gap: 12, alignItems: 'stretch', marginTop: 4 },
    half: { flexGrow: 1, flexBasis: 140 },
    button: {
      minHeight: 48,
      minWidth: 48,
      borderRadius: 10,
      borderWidth: 2,
      borderColor: colours.action,
      paddingVertical: 10,
      paddingHorizontal: 18,
      justifyContent: 'center',
      alignItems: 'center',
      flexGrow: 1,
      // A browser's View does not shrink by itself, and a long label has to wrap.
      flexShrink: 1,
      maxWidth: '100%',
    },
    primary: { backgroundColor: colours.action },
    plain: { backgroundColor: colours.card },
    resting: { opacity: 0.6 },
    buttonText: { fontSize: 17, lineHeight: 24, fontWeight: '600', textAlign: 'center' },
    input: {
      minHeight: 56,
      borderWidth: 2,
      borderColor: colours.line,
      borderRadius: 10,
      paddingHorizontal: 14,
      fontSize: 24,
      letterSpacing: 2,
      color: colours.text,
      backgroundColor: colours.card,
    },
    notice: { backgroundColor: colours.notice, borderRadius: 10, padding: 14 },
    noticeText: { fontSize: 16, lineHeight: 24, color: colours.onNotice },
    logo: { width: 120, height: 28 },
    picture: { width: '100%', aspectRatio: 4 / 3, borderRadius: 12, overflow: 'hidden', backgroundColor: '#000000' },
  })

export interface Theme {
  readonly colours: Colours
  readonly styles: ReturnType<typeof stylesOf>
}

const themeOf = (colours: Colours): Theme => ({ colours, styles: stylesOf(colours) })
const themes: Readonly<Record<'light' | 'dark', Theme>> = { light: themeOf(light), dark: themeOf(dark) }

/** The theme of a scheme, in the accent of an organisation where there is one: `#rrggbb`, readable on `accentGrounds`. */
export const useThemeOf = (scheme: 'light' | 'dark', accent: string | undefined): Theme =>
  useMemo(
    () => (accent === undefined ? themes[scheme] : themeOf({ ...themes[scheme].colours, action: accent })),
    [scheme, accent],
  )

export const ThemeContext = createContext(themes.light)

/** Colours and styles as the phone is set, light or dark. */
export const useTheme = (): Theme => useContext(ThemeContext)
