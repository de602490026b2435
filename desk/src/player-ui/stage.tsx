import type { Playing } from '@integrity/shared-ui/player/playing'
import type { Track } from '@integrity/shared-ui/player/timeline'
import type { View } from '@integrity/shared-ui/player/view'
import type { Ref } from 'react'
import { useLanguage } from '../parts/language.ts'
import { SourceView } from './source-view.tsx'
import { useNames } from './use-names.ts'

interface Props {
  readonly ref: Ref<HTMLDivElement>
  readonly tracks: readonly Track[]
  readonly front: Track
  readonly playing: Playing
  readonly onFront: (source: string) => void
  readonly onJump: () => void
}

const nothing: View = { kind: 'nothing' }

/** How what is in front was checked: said in words, as it is shown by a line around it. */
const Finding = ({ view }: { readonly view: View }) => {
  const { t } = useLanguage()
  const finding = view.kind === 'item' && view.kept.absent === undefined ? view.kept.finding : undefined
  return <p className="small">{finding ? t(`playerFinding.${finding}`) : '\u00a0'}</p>
}

/** One source large, the others beside it. */
export const Stage = ({ ref, tracks, front, playing, onFront, onJump }: Props) => {
  const { t } = useLanguage()
  const names = useNames()
  const viewOf = ({ source }: Track) => playing.views.get(source) ?? nothing
  return (
    <div className={`stage ${playing.phase}`} ref={ref}>
      <figure className="front">
        <SourceView track={front} view={viewOf(front)} playing={playing} onJump={onJump} />
        <figcaption>
          {t('playerInFront', { source: names.source(front) })}
          <Finding view={viewOf(front)} />
        </figcaption>
      </figure>
      <ul className="plain beside">
        {tracks
          .filter((track) => track !== front)
          .map((track) => (
            <li key={track.source}>
              <SourceView track={track} view={viewOf(track)} playing={playing} onJump={undefined} />
              <button type="button" onClick={() => onFront(track.source)}>
                {t('playerFront', { source: names.source(track) })}
              </button>
            </li>
          ))}
      </ul>
    </div>
  )
}
