import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { type KeptItem, ownAddress } from '../../session/requests-api.ts'
import type { RequestsText } from '../../texts/requests.ts'
import { useLanguage } from './language.ts'

interface ItemProps {
  readonly item: KeptItem
  readonly baseUrl: string
  /** Its address may have run out. */
  readonly onStale: () => void
}

const Medium = ({ item, src, name, onStale }: ItemProps & { readonly src: string; readonly name: string }) => {
  const [medium] = item.contentType.split('/')
  if (medium === 'image') return <img src={src} alt={name} onError={onStale} />
  // biome-ignore lint/a11y/useMediaCaption: what was said is in the copy, where it was written down at all
  if (medium === 'audio') return <audio src={src} controls preload="metadata" aria-label={name} onError={onStale} />
  // biome-ignore lint/a11y/useMediaCaption: the same
  return <video src={src} controls preload="metadata" aria-label={name} onError={onStale} />
}

const Item = (props: ItemProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { item, baseUrl } = props
  const at = new Date(item.capturedAt).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'medium' })
  const name = t('itemName', { type: t(`one.${item.evidenceType}` satisfies RequestsText), at })
  const src = item.download ? ownAddress(item.download.url, baseUrl) : undefined
  return (
    <figure>
      {src ? <Medium {...props} src={src} name={name} /> : null}
      <figcaption className="small">
        {name}
        {item.erasedAt ? ` – ${t('itemErased', { at: dayAndTime(item.erasedAt, locale) })}` : null}
      </figcaption>
    </figure>
  )
}

interface Props {
  readonly items: readonly KeptItem[]
  readonly baseUrl: string
  readonly onStale: (item: KeptItem) => void
}

/** Pictures to be seen, sound and recordings to be played, in the order of storing. */
export const Gallery = ({ items, baseUrl, onStale }: Props) => (
  <div className="gallery">
    {items.map((item) => (
      <Item key={item.id} item={item} baseUrl={baseUrl} onStale={() => onStale(item)} />
    ))}
  </div>
)
