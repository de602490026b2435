import type { BrandColours } from '@integrity/protocol/clients/palette'
import { coloursIn, phoneColours, phoneSizes, phoneText, type Scheme, space } from '@integrity/protocol/clients/tokens'
import { createContext, useContext, useMemo } from 'react'
import { StyleSheet } from 'react-native'

type Colours = Readonly<Record<keyof typeof phoneColours, string>>

const textOf = (name: keyof typeof phoneText) => {
  const [fontSize, lineHeight] = phoneText[name]
  return { fontSize, lineHeight }
}

/** Where the one ground is the other, a line is between them. */
const cardOf = ({ surface, ground, line }: Colours) => ({
  backgroundColor: surface,
  borderColor: surface === ground ? line : surface,
  borderWidth: 1,
})

/** No side is named left or right, so that a language from right to left needs nothing of its own. */
const stylesOf = (colours: Colours) =>
  StyleSheet.create({
    page: { flex: 1, backgroundColor: colours.ground },
    column: { width: '100%', maxWidth: phoneSizes.column, alignSelf: 'center', padding: space.l, gap: space.l },
    title: { ...textOf('title'), fontWeight: '700', color: colours.text },
    heading: { ...textOf('heading'), fontWeight: '600', color: colours.text },
    body: { ...textOf('body'), color: colours.text },
    soft: { ...textOf('soft'), color: colours.soft },
    card: { ...cardOf(colours), borderRadius: phoneSizes.radiusL, padding: space.l, gap: space.s },
    row: { flexDirection: 'row', flexWrap: 'wrap', gap: space.m, alignItems: 'center' },
    buttons: { flexDirection: 'row', flexWrap: 'wrap', gap: space.m, alignItems: 'stretch', marginTop: space.xs },
    half: { flexGrow: 1, flexBasis: 140 },
    button: {
      minHeight: phoneSizes.button,
      minWidth: phoneSizes.button,
      borderRadius: phoneSizes.radiusM,
      borderWidth: phoneSizes.line,
      borderColor: colours.accent,
      paddingVertical: space.s,
      paddingHorizontal: space.l,
      justifyContent: 'center',
      alignItems: 'center',
      flexGrow: 1,
      // A browser's View does not shrink by itself, and a long label has to wrap.
      flexShrink: 1,
      maxWidth: '100%',
    },
    primary: { backgroundColor: colours.accent },
    plain: { backgroundColor: colours.surface },
    stop: { backgroundColor: colours.red, borderColor: colours.red },
    resting: { opacity: 0.6 },
    buttonText: { ...textOf('button'), fontWeight: '600', textAlign: 'center' },
    input: {
      minHeight: phoneSizes.input,
      borderWidth: phoneSizes.line,
      borderColor: colours.line,
      borderRadius: phoneSizes.radiusM,
      paddingHorizontal: space.m,
      fontSize: phoneText.code[0],
      letterSpacing: 2,
      color: colours.text,
      backgroundColor: colours.surface,
    },
    notice: { backgroundColor: colours.attention, borderRadius: phoneSizes.radiusM, padding: space.m },
    noticeText: { ...textOf('notice'), color: colours.onAttention },
    picture: {
      width: '100%',
      aspectRatio: 4 / 3,
      borderRadius: phoneSizes.radiusL,
      overflow: 'hidden',
      backgroundColor: colours.picture,
    },
  })

export interface Theme {
  readonly colours: Colours
  readonly styles: ReturnType<typeof stylesOf>
}

const themeOf = (colours: Colours): Theme => ({ colours, styles: stylesOf(colours) })
const themes: Readonly<Record<Scheme, Theme>> = {
  light: themeOf(coloursIn(phoneColours, 'light')),
  dark: themeOf(coloursIn(phoneColours, 'dark')),
}

/** The theme of a scheme, in the colours of an organisation where it has its own. */
export const useThemeOf = (scheme: Scheme, own: BrandColours | undefined): Theme =>
  useMemo(() => (own ? themeOf({ ...themes[scheme].colours, ...own }) : themes[scheme]), [scheme, own])

export const ThemeContext = createContext(themes.light)

/** Colours and styles as the phone is set, light or dark. */
export const useTheme = (): Theme => useContext(ThemeContext)
