import { Picture } from '@integrity/shared-ui/web/picture'
import { usePreview } from './agent.tsx'
import { useLanguage } from './language.tsx'

interface Props {
  readonly lane: string
  readonly displayId?: string
  readonly alt: string
}

/** What a camera or a display shows just now. */
export const PreviewPicture = ({ lane, displayId, alt }: Props) => {
  const { t } = useLanguage()
  const picture = usePreview(lane, displayId)?.picture
  // Whatever a driver sends, nothing but a picture is put here.
  const shown = picture?.startsWith('data:image/') ? picture : undefined
  return <Picture src={shown} alt={alt} none={t('checkDisplayNone')} />
}
