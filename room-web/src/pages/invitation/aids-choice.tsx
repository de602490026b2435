import { ChoiceField, LineField } from '@integrity/shared-ui/web/fields'
import { useId } from 'react'
import type { AidName, Declaring, WantedAid } from '../../session/invitation-api.ts'
import { useLanguage } from './language.ts'

/** What is chosen in the form: for each aid the words beside it, and how the breaks are. */
export interface Choice {
  readonly details: Partial<Record<AidName, string>>
  readonly breaks: { readonly count: number; readonly minutes: number }
}

const everyAid: Record<AidName, true> = {
  second_display: true,
  screen_reader: true,
  dictation: true,
  on_screen_keyboard: true,
  helper: true,
  notes: true,
  ai_tool: true,
  breaks: true,
  no_camera: true,
  sound_only: true,
  reduced_data: true,
}
/** In the order of the form. */
export const aidOrder = Object.keys(everyAid) as AidName[]
const mostCharacters = 200

/** The body of what is chosen. */
export const wantedOf = ({ details, breaks }: Choice): WantedAid[] =>
  aidOrder
    .filter((aid) => details[aid] !== undefined)
    .map((aid) => {
      const detail = details[aid]?.trim()
      return { aid, ...(detail ? { detail } : {}), ...(aid === 'breaks' ? { breaks } : {}) }
    })

interface Props {
  readonly aid: AidName
  readonly org: string
  readonly declaring: Declaring
  readonly choice: Choice
  readonly toolMissing: boolean
  readonly onChange: (choice: Choice) => void
}

const upTo = (most: number) =>
  Array.from({ length: most }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }))

const Breaks = ({ choice, onChange }: Pick<Props, 'choice' | 'onChange'>) => {
  const { t } = useLanguage()
  const set = (part: Partial<Choice['breaks']>) => onChange({ ...choice, breaks: { ...choice.breaks, ...part } })
  return (
    <>
      <ChoiceField
        name="count"
        label={t('aidsCount')}
        value={String(choice.breaks.count)}
        options={upTo(10)}
        onChange={(value) => set({ count: Number(value) })}
      />
      <ChoiceField
        name="minutes"
        label={t('aidsMinutes')}
        value={String(choice.breaks.minutes)}
        options={upTo(60)}
        onChange={(value) => set({ minutes: Number(value) })}
      />
    </>
  )
}

/** One aid: chosen or not, in the sentence that both sides read, and what belongs to it. */
export const AidChoice = ({ aid, org, declaring, choice, toolMissing, onChange }: Props) => {
  const { t } = useLanguage()
  const id = useId()
  const { details } = choice
  const detail = details[aid]
  const atOnce = declaring.offered.some((one) => one.aid === aid)
  const change = (value: string | undefined) => {
    const { [aid]: _, ...others } = details
    onChange({ ...choice, details: value === undefined ? others : { ...others, [aid]: value } })
  }
  return (
    <div>
      <label htmlFor={id} className="check">
        <input
          id={id}
          type="checkbox"
          name={aid}
          checked={detail !== undefined}
          onChange={({ target }) => change(target.checked ? '' : undefined)}
        />
        <span>
          {t(`aid.${aid}`)} <span className="small">{t(atOnce ? 'aidsOffered' : 'aidsAsked', { org })}</span>
        </span>
      </label>
      {detail !== undefined && aid === 'breaks' ? <Breaks choice={choice} onChange={onChange} /> : null}
      {detail === undefined || aid === 'breaks' ? null : (
        <LineField
          name={`${aid}Detail`}
          label={t(aid === 'ai_tool' ? 'aidsTool' : 'aidsDetail')}
          optional={aid !== 'ai_tool'}
          value={detail}
          maxLength={mostCharacters}
          error={aid === 'ai_tool' && toolMissing ? t('aidsToolMissing') : undefined}
          onChange={change}
        />
      )}
    </div>
  )
}
