import type { BrandedOrg } from '@integrity/protocol/clients/brand'
import type { Scheme } from '@integrity/protocol/clients/tokens'
import type { BrandPreview, PreviewedPlace } from '@integrity/shared-ui/session/brand-preview'
import { useEffect, useRef, useState } from 'react'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'

type Document = BrandPreview['document']

/** What candidates are asked for without a policy, in the language of the desk; undefined until it is known. */
export const useUsualDocument = (): Document | undefined => {
  const { own, org } = useDesk()
  const { code } = useLanguage().language
  const [found, setFound] = useState<{ readonly code: string; readonly document: Document }>()
  useEffect(() => {
    let over = false
    const input = { params: { orgId: org.id }, body: { config: {}, locale: code } }
    const ask = async () => {
      const { data } = await own.call('portal.policies.consentPreview.draft', input)
      if (!over) setFound({ code, document: data })
    }
    void ask().catch(() => undefined)
    return () => {
      over = true
    }
  }, [own, org.id, code])
  return found?.code === code ? found.document : undefined
}

interface Props {
  readonly place: PreviewedPlace
  readonly title: string
  readonly scheme: Scheme
  readonly org: BrandedOrg
  readonly document: Document
}

/** A page of candidates in a frame; the desk sends it the brand again at each key that somebody types. */
export const ScreenFrame = ({ place, title, scheme, org, document }: Props) => {
  const { previewPage } = useDesk()
  const { language } = useLanguage()
  const frame = useRef<HTMLIFrameElement>(null)
  const said: BrandPreview = { kind: 'brand-preview', place, language: language.code, scheme, org, document }
  const text = JSON.stringify(said)
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
    frame.current?.contentWindow?.postMessage(JSON.parse(text), location.origin)
  }, [text])
  return (
    <iframe
      ref={frame}
      className="preview"
      title={title}
      src={previewPage}
      onLoad={({ currentTarget }) =>
        currentTarget.contentWindow?.postMessage(JSON.parse(latest.current), location.origin)
      }
    />
  )
}
