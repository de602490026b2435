import type { texts } from '@integrity/protocol/texts/en/consent'
import { type Spoken, useSpoken } from './spoken.tsx'

interface Props {
  /** BCP 47, of the document. */
  readonly locale: string
  readonly title: string
  readonly text: string
}

/** From this many sentences on, each stands on a line of its own. */
const manySentences = 4

/** The same letters, in lines that can be found again. */
const Sentences = ({ text }: Pick<Props, 'text'>) => {
  // Without looking behind, which browsers of 2022 cannot.
  const sentences = text.match(/.+?(?:[.।?!] |$)/gsu) ?? []
  if (sentences.length < manySentences) return text
  return sentences.map((sentence) => (
    <span key={sentence} className="sentence">
      {sentence}
    </span>
  ))
}

/** The service's own words, the one list of what is collected; marked as such where they are in another language. */
export const DocumentWords = ({ locale, title, text }: Props) => {
  const { t, language }: Spoken<keyof typeof texts> = useSpoken()
  if (locale === language.code)
    return (
      <p lang={locale}>
        <Sentences text={text} />
      </p>
    )
  return (
    <>
      <p className="small">{t('consentFrom')}</p>
      <blockquote lang={locale}>
        <strong>{title}.</strong> <Sentences text={text} />
      </blockquote>
    </>
  )
}
