import { useSyncExternalStore } from 'react'

const query = matchMedia('(prefers-color-scheme: dark)')
const subscribe = (listener: () => void) => {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** What the browser is set to. react-native-web's own hook listens again after each render and can miss a change between. */
export const useScheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribe, () => (query.matches ? 'dark' : 'light'))
