import type { LaneName } from '../state/consent-answers.ts'
import { levelWord } from '../state/lane-facts.ts'
import { usePreview } from './agent.tsx'
import { useLanguage } from './language.tsx'

const silence = -120
/** Below it nothing moves: the noise of a quiet room. */
const lowest = -70

/** How loud a lane is just now, as a bar and as a word. */
export const LevelMeter = ({ lane }: { readonly lane: LaneName }) => {
  const { t } = useLanguage()
  const level = usePreview(lane)?.levelDb ?? silence
  const word = t(`level.${levelWord(level)}`)
  return (
    <p className="level">
      <meter
        min={lowest}
        max={0}
        value={Math.min(0, Math.max(lowest, level))}
        aria-label={t('checkLevel', { lane: t(`lane.${lane}`) })}
        aria-valuetext={word}
      />
      <span aria-hidden="true">{word}</span>
    </p>
  )
}
