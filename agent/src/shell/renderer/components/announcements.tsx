import { Announcer } from '@integrity/shared-ui/web/read-out'
import { useEffect, useRef, useState } from 'react'
import { announcementsOf } from '../state/announcements.ts'
import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'

/** Reads out what the lights show to those who see them: what was lost, what came back. */
export const Announcements = () => {
  const { state } = useAgent()
  const { t } = useLanguage()
  const before = useRef(state)
  const [text, setText] = useState('')
  useEffect(() => {
    const said = announcementsOf(before.current, state)
    before.current = state
    if (said.length === 0) return
    const words = said.map(({ key, lane, state: is, app = '' }) =>
      t(key, { app, ...(lane ? { lane: t(`lane.${lane}`) } : {}), ...(is ? { state: t(`state.${is}`) } : {}) }),
    )
    setText(words.join('. '))
  }, [state, t])
  return <Announcer>{text}</Announcer>
}
