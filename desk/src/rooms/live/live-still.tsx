import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { clockTime } from '../../parts/spans.ts'

type Frame = NonNullable<ReadResult<'sessions.live'>['latestFrame']>

const Shown = ({ frame, url }: { readonly frame: Frame; readonly url: string }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const [failed, setFailed] = useState<string>()
  const at = clockTime(frame.capturedAt, locale)
  return (
    <>
      <p>{t('liveStill', { at })}</p>
      {failed === url ? (
        <p role="alert">{t('livePictureFailed')}</p>
      ) : (
        <img className="picture" src={url} alt={t('livePictureAlt', { at })} onError={() => setFailed(url)} />
      )}
    </>
  )
}

/** The newest picture, for those who may open pictures; the others have the page without it. */
export const LiveStill = ({ frame }: { readonly frame: Frame | null }) => {
  const { t } = useLanguage()
  const sees = useMay('evidence.view')
  if (!sees) return <p>{t('livePictureHidden')}</p>
  const url = frame?.downloadUrl ?? undefined
  return (
    <Section title={t('livePicture')}>
      {frame && url ? <Shown frame={frame} url={url} /> : <p>{t('livePictureNone')}</p>}
    </Section>
  )
}
