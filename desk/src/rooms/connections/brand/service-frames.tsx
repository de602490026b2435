import { useEffect, useState } from 'react'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import type { BrandWords } from './brand-words.ts'
import { typedQuery } from './typed-brand.ts'

/** So long after the last key the service is asked, milliseconds. */
const restMs = 500

/** Undefined until the typing rests; a sign-in that has run out is renewed before a frame asks with it. */
const useRested = (words: BrandWords): Readonly<Record<string, string>> | undefined => {
  const { own, org } = useDesk()
  const [rested, setRested] = useState<string>()
  const text = JSON.stringify(typedQuery(words))
  useEffect(() => {
    let over = false
    const ask = async () => {
      await own.call('portal.branding.get', { params: { orgId: org.id } })
      if (!over) setRested(text)
    }
    const timer = setTimeout(() => void ask().catch(() => undefined), restMs)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [own, org.id, text])
  return rested === undefined ? undefined : (JSON.parse(rested) as Readonly<Record<string, string>>)
}

interface Props {
  readonly words: BrandWords
  readonly title: string
}

/** The letter, as the service writes it. */
export const LetterFrame = ({ words, title }: Props) => {
  const { t, language } = useLanguage()
  const { org, fileAddress } = useDesk()
  const typed = useRested(words)
  if (!typed) return <p role="status">{t('loading')}</p>
  const query = { ...typed, locale: language.code }
  return (
    <iframe
      className="preview"
      title={title}
      src={fileAddress('portal.invitations.letter', { params: { orgId: org.id }, query })}
    />
  )
}

/** A PDF, as the service writes it; where the browser shows none, the way to it. */
export const PaperFrame = ({ words, title }: Props) => {
  const { t, language } = useLanguage()
  const { org, fileAddress } = useDesk()
  const typed = useRested(words)
  if (!typed) return <p role="status">{t('loading')}</p>
  const query = { ...typed, locale: language.code }
  const address = fileAddress('portal.compliance.paper', { params: { orgId: org.id }, query })
  return (
    <>
      {navigator.pdfViewerEnabled ? (
        <iframe className="preview" title={title} src={`${address}#toolbar=0&view=FitH`} />
      ) : (
        <p>{t('connectionsPdfNoViewer')}</p>
      )}
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          {t('connectionsPdfOpen')}
        </a>
      </p>
    </>
  )
}
