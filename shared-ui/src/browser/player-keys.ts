import { type Command, commandOf } from '../player/keys.ts'

/** Where a key is typed and not a command. */
const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches('textarea, select, input:not([type="range"], [type="checkbox"])') || target.isContentEditable)

/** Space and Enter press what has the focus. */
const isPress = (target: EventTarget | null, key: string): boolean =>
  key === ' ' && target instanceof HTMLElement && target.matches('button, summary, a, input[type="checkbox"]')

type Pressed = Parameters<typeof commandOf>[0] & Pick<Event, 'target'>

/** What a key asks of the player that it was pressed in; undefined where it is typed, presses a button, or is the browser's. */
export const pressedCommand = (event: Pressed): Command | undefined =>
  takesKeys(event.target) || isPress(event.target, event.key) ? undefined : commandOf(event)
