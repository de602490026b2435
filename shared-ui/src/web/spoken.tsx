import { fill } from '@integrity/protocol/clients/language'
import { regional } from '@integrity/protocol/clients/regional'
import type { Catalogue, Language } from '@integrity/protocol/texts/catalogue'
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'

/** The texts that the parts of this folder show. Every catalogue has them beside its own. */
export type UiText =
  | ('languageLabel' | 'productName' | 'brokenTitle' | 'brokenText' | 'reload')
  | ('helpInviter' | 'helpInviterNamed' | 'helpManager' | 'helpRequest' | 'helpContact' | 'helpSession')

export type Values = Readonly<Record<string, string | number>>

/** How a page speaks; `Text` are the names in its catalogue. */
export interface Spoken<Text extends string = UiText> {
  readonly language: Pick<Language<never>, 'code' | 'direction' | 'dates'>
  /** The text of a name in the language of the page, filled in. */
  readonly t: (name: Text, values?: Values) => string
}

interface Speech extends Spoken<string> {
  readonly languages: Catalogue<never>
  readonly onChoose: (code: string) => void
}

const Speaking = createContext<Speech | undefined>(undefined)

interface Props {
  readonly languages: Catalogue<UiText>
  /** The one that is spoken. */
  readonly language: Language<UiText>
  readonly onChoose: (code: string) => void
  readonly children: ReactNode
}

/** The language of everything inside, and of the document. */
export const SpokenLanguage = ({ languages, language, onChoose, children }: Props) => {
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

/** A page names its own catalogue where it takes this: `const useLanguage: () => Spoken<RoomText> = useSpoken`. */
export const useSpoken: () => Spoken<string> = useSpeech

/** How days, times and numbers are written: the page's language, as the reader's browser has it (BCP 47). */
export const useLocale = (): string => regional(useSpeech().language, navigator.languages)

export const LanguageSwitch = () => {
  const { languages, language, t, onChoose } = useSpeech()
  return (
    <fieldset className="languages" aria-label={t('languageLabel')}>
      {languages.map(({ code, name }) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-pressed={code === language.code}
          onClick={() => onChoose(code)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
