import { keyRows } from '@integrity/shared-ui/player/keys'
import { useLanguage } from '../parts/language.ts'
import type { DeskText } from '../words/desk.ts'

interface Props {
  readonly open: boolean
  readonly onToggle: (open: boolean) => void
}

/** Every key of the player. */
export const KeysList = ({ open, onToggle }: Props) => {
  const { t } = useLanguage()
  return (
    <details open={open} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
      <summary>{t('playerKeys')}</summary>
      <dl className="keys">
        {keyRows.map(([keys, command]) => (
          <div key={command}>
            <dt>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 ? ' / ' : null}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{t(`playerKey.${command}` as DeskText)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
