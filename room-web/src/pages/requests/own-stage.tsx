import { useObjectUrl } from '@integrity/shared-ui/hooks/use-object-url'
import type { KeptItem } from '@integrity/shared-ui/player/item-store'
import type { Playing } from '@integrity/shared-ui/player/playing'
import { playTime } from '@integrity/shared-ui/player/range'
import type { Item, Track } from '@integrity/shared-ui/player/timeline'
import type { View } from '@integrity/shared-ui/player/view'
import { Recording } from '@integrity/shared-ui/web/recording'
import { type ReactNode, type Ref, useState } from 'react'
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

interface SourceProps {
  readonly track: Track
  readonly view: View
  readonly playing: Playing
  readonly isFront: boolean
  /** Shows it large; undefined where it is the only one, or is already. */
  readonly onFront: (() => void) | undefined
}

const Source = ({ track, view, playing, isFront, onFront }: SourceProps) => {
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
    <figure className={isFront ? 'front' : undefined}>
      <div className={`view ${view.kind === 'item' ? view.kept.finding : view.kind}`}>{content()}</div>
      <figcaption className="small">
        {source}
        {isShown(view) ? <span> · {words(view)}</span> : null}
      </figcaption>
      {onFront ? (
        <button type="button" onClick={onFront}>
          {t('playFront', { source })}
        </button>
      ) : null}
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

interface Props {
  readonly ref: Ref<HTMLDivElement>
  readonly tracks: readonly Track[]
  readonly playing: Playing
  /** The one that is large. */
  readonly front: Track | undefined
  readonly onFront: (front: Track) => void
}

/** The sources that have pictures, one of them large. Nothing that was not checked, or did not fit, is drawn or heard. */
export const OwnStage = ({ ref, tracks, playing, front, onFront }: Props) => {
  const viewOf = ({ source }: Track) => playing.views.get(source) ?? nothing
  const [pictures, sounds] = (['pictures', 'sound'] as const).map((kind) =>
    tracks.filter((track) => track.kind === kind && track.items.length > 0),
  )
  return (
    <>
      <div ref={ref} className={`own-stage ${playing.phase}`}>
        {pictures
          ?.toSorted((a, b) => Number(b === front) - Number(a === front))
          .map((track) => (
            <Source
              key={track.source}
              {...{ track, playing }}
              view={viewOf(track)}
              isFront={track === front}
              onFront={track === front ? undefined : () => onFront(track)}
            />
          ))}
      </div>
      {sounds?.map((track) => (
        <Unheard key={track.source} track={track} view={viewOf(track)} />
      ))}
    </>
  )
}
