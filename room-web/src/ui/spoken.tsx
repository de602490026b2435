import { fill } from '@integrity/protocol/clients/language'
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'

/** The texts that the parts of this folder show. Every catalogue has them beside its own. */
export type UiText = 'languageName' | 'languageLabel' | 'productName' | 'brokenTitle' | 'brokenText' | 'reload'

/** A language with its catalogue. */
export interface Language<Text extends string = never> {
  /** BCP 47. */
  readonly code: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Readonly<Record<Text | UiText, string>>
}

export type Values = Readonly<Record<string, string | number>>

/** How a page speaks; `Text` are the names in its catalogue. */
export interface Spoken<Text extends string = UiText> {
  readonly language: Pick<Language, 'code' | 'direction'>
  /** The text of a name in the language of the page, filled in. */
  readonly t: (name: Text, values?: Values) => string
}

interface Speech extends Spoken<string> {
  readonly languages: readonly Language[]
  readonly onChoose: (code: string) => void
}

const Speaking = createContext<Speech | undefined>(undefined)

interface Props<Text extends string> {
  readonly languages: readonly Language<Text>[]
  /** The one that is spoken. */
  readonly language: Language<Text>
  readonly onChoose: (code: string) => void
  readonly children: ReactNode
}

/** The language of everything inside, and of the document. */
export const SpokenLanguage = <Text extends string>({ languages, language, onChoose, children }: Props<Text>) => {
  useEffect(() => {
    document.documentElement.lang = language.code
    document.documentElement.dir = language.direction
  }, [language])
  const speech = useMemo<Speech>(() => {
    const texts: Readonly<Record<string, string>> = language.texts
    const t: Speech['t'] = (name, values = {}) => fill(texts[name] ?? '', values, language.code)
    return { languages, language, onChoose, t }
  }, [languages, language, onChoose])
  return <Speaking value={speech}>{children}</Speaking>
}

const useSpeech = (): Speech => {
  const speech = use(Speaking)
  if (!speech) throw new Error('outside of a SpokenLanguage')
  return speech
}

/** A page names its own catalogue where it takes this: `const useLanguage: () => Spoken<keyof Texts> = useSpoken`. */
export const useSpoken: () => Spoken<string> = useSpeech

export const LanguageSwitch = () => {
  const { languages, language, t, onChoose } = useSpeech()
  return (
    <fieldset className="languages" aria-label={t('languageLabel')}>
      {languages.map(({ code, texts }) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-pressed={code === language.code}
          onClick={() => onChoose(code)}
        >
          {texts.languageName}
        </button>
      ))}
    </fieldset>
  )
}
