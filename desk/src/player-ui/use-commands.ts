import { usePlayerCommands } from '@integrity/shared-ui/hooks/use-player-commands'
import type { Command } from '@integrity/shared-ui/player/keys'
import { noRange, type Range, withEnd } from '@integrity/shared-ui/player/range'
import { useState } from 'react'
import type { MarkedPlace } from './marked-places.tsx'

/** What is written below the stage. */
export interface Panel {
  readonly kind: 'note' | 'explain'
  readonly atMs: number
  readonly momentId: string | undefined
}

interface Written {
  readonly panel: Panel | undefined
  readonly range: Range
}

type PlayerParts = Parameters<typeof usePlayerCommands<MarkedPlace>>[0]

interface Parts extends PlayerParts {
  readonly onNextReview: () => void
  /** What was being written when the player was here before. */
  readonly written: Written | undefined
}

/** What each command does, and what it has come to: what every player does, and what a reviewer writes. */
export const useCommands = ({ onNextReview, written: before, ...parts }: Parts) => {
  const { engine } = parts
  const { state, change, run, momentHere } = usePlayerCommands(parts)
  const [written, setWritten] = useState<Written>(before ?? { panel: undefined, range: noRange })
  const rewrite = (part: Partial<Written>) => {
    change({})
    setWritten({ ...written, ...part })
  }
  const mark = (end: 'from' | 'to') =>
    rewrite({ range: withEnd(written.range, end, Math.max(0, Math.round(engine.atMs))) })
  const write = (kind: Panel['kind']) => {
    const here = momentHere()
    if (kind === 'explain' && !here) return change({ said: 'ExplainNone' })
    engine.pause()
    rewrite({ panel: { kind, atMs: Math.max(0, Math.round(engine.atMs)), momentId: here?.id } })
  }
  const own: Partial<Readonly<Record<Command, () => void>>> = {
    rangeFrom: () => mark('from'),
    rangeTo: () => mark('to'),
    note: () => write('note'),
    explain: () => write('explain'),
    nextReview: onNextReview,
  }
  return {
    ...{ state, change, written },
    close: () => rewrite({ panel: undefined }),
    run: (command: Command) => (own[command] ?? (() => run(command)))(),
  }
}
