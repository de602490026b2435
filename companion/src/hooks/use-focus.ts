import { type RefObject, useEffect, useRef } from 'react'
import type { Text } from 'react-native'

/** A heading that takes the focus when it appears, so that a screen reader reads the new screen from its start. */
export const useFocus = (): RefObject<Text | null> => {
  const ref = useRef<Text>(null)
  useEffect(() => {
    const node = ref.current as { focus?: () => void } | null
    node?.focus?.()
  }, [])
  return ref
}
