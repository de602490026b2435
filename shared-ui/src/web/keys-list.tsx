import type { KeyRow } from '../player/keys.ts'

interface Props {
  readonly title: string
  /** Those that do something on this page. */
  readonly rows: readonly KeyRow[]
  readonly words: (command: KeyRow[1]) => string
  readonly open: boolean
  readonly onToggle: (open: boolean) => void
}

/** Every key of the player. */
export const KeysList = ({ title, rows, words, open, onToggle }: Props) => (
  <details
    open={open}
    // It is told later of what a key has opened, too.
    onToggle={({ currentTarget }) => (currentTarget.open === open ? undefined : onToggle(currentTarget.open))}
  >
    <summary>{title}</summary>
    <dl className="keys">
      {rows.map(([keys, command]) => (
        <div key={command}>
          <dt>
            {keys.map((key, index) => (
              <span key={key}>
                {index > 0 ? ' / ' : null}
                <kbd>{key}</kbd>
              </span>
            ))}
          </dt>
          <dd>{words(command)}</dd>
        </div>
      ))}
    </dl>
  </details>
)
