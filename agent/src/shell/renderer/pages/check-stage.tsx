import { useState } from 'react'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { LaneLight } from '../components/lane-light.tsx'
import { useLanguage } from '../components/language.tsx'
import { PreviewPicture } from '../components/preview-picture.tsx'
import { previewOf } from '../state/lane-facts.ts'

type Checked = NonNullable<WindowState['check']>['lanes'][number]

/** A camera or a display, of which there is something to see. */
interface View {
  readonly lane: Checked['lane']
  readonly displayId?: string
  readonly name: string
  /** What the picture is of. */
  readonly alt: string
  readonly working: boolean
}

const keyOf = ({ lane, displayId = '' }: View): string => `${lane} ${displayId}`

const useViews = (lanes: readonly Checked[]): readonly View[] => {
  const { t } = useLanguage()
  // Something that nobody gives shows no empty picture.
  const given = lanes.filter(({ state }) => ['working', 'silent', 'trying'].includes(state))
  const cameras = given
    .filter(({ lane }) => previewOf(lane) === 'picture')
    .map(({ lane, state }) => ({
      lane,
      name: t(`lane.${lane}`),
      alt: t('checkCameraPicture'),
      working: state === 'working',
    }))
  const displays = given
    .filter(({ lane }) => previewOf(lane) === 'displays')
    .flatMap(({ lane, displays: all }) =>
      all.map(({ id, label, working }) => ({
        lane,
        displayId: id,
        working,
        name: t('checkDisplay', { name: label }),
        alt: t('checkDisplayPicture', { name: label }),
      })),
    )
  return [...cameras, ...displays]
}

/** One large picture, and small ones to choose which. */
export const CheckStage = ({ lanes }: { readonly lanes: readonly Checked[] }) => {
  const { t } = useLanguage()
  const views = useViews(lanes)
  const [chosen, setChosen] = useState<string>()
  const shown = views.find((view) => keyOf(view) === chosen) ?? views[0]
  if (!shown) return null
  const several = views.length > 1
  return (
    <section className="stage" aria-label={t('checkStage')}>
      <figure>
        {/* The small one beside it says what it is. */}
        <PreviewPicture lane={shown.lane} {...placeOf(shown)} alt={several ? '' : shown.alt} />
        <figcaption>
          <LaneLight state={shown.working ? 'up' : 'starting'} />
          <span>
            {shown.name} – {t(shown.working ? 'checkState.working' : 'checkState.trying')}
          </span>
        </figcaption>
      </figure>
      {several ? (
        <div className="thumbs">
          {views.map((view) => (
            <button
              key={keyOf(view)}
              type="button"
              className="thumb"
              aria-pressed={view === shown}
              onClick={() => setChosen(keyOf(view))}
            >
              <PreviewPicture lane={view.lane} {...placeOf(view)} alt={view.alt} />
              <span>{view.name}</span>
            </button>
          ))}
        </div>
      ) : null}
    </section>
  )
}

const placeOf = ({ displayId }: View): { readonly displayId?: string } => (displayId === undefined ? {} : { displayId })
