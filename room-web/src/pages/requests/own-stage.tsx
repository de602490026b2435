import { useObjectUrl } from '@integrity/shared-ui/hooks/use-object-url'
import type { KeptItem } from '@integrity/shared-ui/player/item-store'
import type { Playing } from '@integrity/shared-ui/player/playing'
import { playTime } from '@integrity/shared-ui/player/range'
import type { Item, Track } from '@integrity/shared-ui/player/timeline'
import type { View } from '@integrity/shared-ui/player/view'
import { Recording } from '@integrity/shared-ui/web/recording'
import { type ReactNode, useState } from 'react'
import type { RequestsText } from '../../texts/requests.ts'
import { useLanguage } from './language.ts'
import { useOwnNames } from './own-names.ts'

interface PictureProps {
  readonly kept: KeptItem
  readonly label: string
  readonly onBroken: () => void
}

const Still = ({ kept, label, onBroken }: PictureProps) => {
  const url = useObjectUrl(kept)
  return url ? <img className="shown" src={url} alt={label} onError={onBroken} /> : null
}

/** A picture or a recording; words where this browser cannot show it. */
const Shown = ({
  item,
  kept,
  playing,
  label,
}: Omit<PictureProps, 'onBroken'> & { readonly item: Item; readonly playing: Playing }) => {
  const { t } = useLanguage()
  const [broken, setBroken] = useState<string>()
  const onBroken = () => setBroken(kept.id)
  if (broken === kept.id) return <p>{t('playUndecoded')}</p>
  const isFilm = kept.contentType.startsWith('video/')
  return isFilm ? <Recording {...{ item, kept, playing, label, onBroken }} /> : <Still {...{ kept, label, onBroken }} />
}

/** In words how a part was checked, or why there is none. */
const useWords = () => {
  const { t } = useLanguage()
  const names = useOwnNames()
  return (view: View): string | undefined => {
    switch (view.kind) {
      case 'item':
        return view.kept.absent === undefined
          ? t(`playFinding.${view.kept.finding}`)
          : t(`playAbsent.${view.kept.absent}` as RequestsText)
      case 'band':
        return t('playBand', { what: names.stretch(view.stretch), until: playTime(view.stretch.toMs) })
      case 'nothing':
        return t('playOutside')
      case 'loading':
        return undefined
    }
  }
}

const isShown = (view: View): boolean =>
  view.kind === 'item' && view.kept.absent === undefined && view.kept.finding !== 'unfit'

const Source = ({ track, view, playing }: { track: Track; view: View; playing: Playing }) => {
  const { t } = useLanguage()
  const words = useWords()
  const source = useOwnNames().source(track)
  const label = t('playPicture', { source, at: playTime(playing.atMs) })
  const content = (): ReactNode => {
    if (view.kind === 'item' && isShown(view))
      return <Shown {...{ playing, label }} item={view.item} kept={view.kept} />
    if (view.kind === 'loading' && view.last && view.last.contentType.startsWith('image/'))
      return <Still kept={view.last} label={label} onBroken={() => undefined} />
    return <p>{words(view)}</p>
  }
  return (
    <figure>
      <div className={`view ${view.kind === 'item' ? view.kept.finding : view.kind}`}>{content()}</div>
      <figcaption className="small">
        {source}
        {isShown(view) ? <span> · {words(view)}</span> : null}
      </figcaption>
    </figure>
  )
}

/** What of the sound cannot be heard now is said: what cannot be seen is said where it would be. */
const Unheard = ({ track, view }: { readonly track: Track; readonly view: View }) => {
  const words = useWords()
  const names = useOwnNames()
  if (view.kind !== 'item' || isShown(view)) return null
  return (
    <p className="small">
      {names.source(track)}: {words(view)}
    </p>
  )
}

const nothing: View = { kind: 'nothing' }

/** The sources that have pictures side by side. Nothing that was not checked, or did not fit, is drawn or heard. */
export const OwnStage = ({ tracks, playing }: { readonly tracks: readonly Track[]; readonly playing: Playing }) => {
  const viewOf = ({ source }: Track) => playing.views.get(source) ?? nothing
  const [pictures, sounds] = (['pictures', 'sound'] as const).map((kind) =>
    tracks.filter((track) => track.kind === kind && track.items.length > 0),
  )
  return (
    <>
      <div className={`own-stage ${playing.phase}`}>
        {pictures?.map((track) => (
          <Source key={track.source} track={track} view={viewOf(track)} playing={playing} />
        ))}
      </div>
      {sounds?.map((track) => (
        <Unheard key={track.source} track={track} view={viewOf(track)} />
      ))}
    </>
  )
}
