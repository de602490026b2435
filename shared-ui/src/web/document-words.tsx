import type { texts } from '@integrity/protocol/texts/en/consent'
import { type Spoken, useSpoken } from './spoken.tsx'

interface Props {
  /** BCP 47, of the document. */
  readonly locale: string
  readonly title: string
  readonly text: string
}

/** The service's own words, the one list of what is collected; marked as such where they are in another language. */
export const DocumentWords = ({ locale, title, text }: Props) => {
  const { t, language }: Spoken<keyof typeof texts> = useSpoken()
  if (locale === language.code) return <p lang={locale}>{text}</p>
  return (
    <>
      <p className="small">{t('consentFrom')}</p>
      <blockquote lang={locale}>
        <strong>{title}.</strong> {text}
      </blockquote>
    </>
  )
}
