/** What the browser may refuse to keep is kept as long as the page. */
const memory = new Map()
export const keep = (store, name, value) => {
  memory.set(name, value)
  try {
    store().setItem(name, value)
  } catch {}
}
export const kept = (store, name) => {
  try {
    return store().getItem(name) ?? memory.get(name)
  } catch {
    return memory.get(name)
  }
}
/** For good, and as long as the tab: only a key is a secret, and it stays in its tab. */
export const local = () => localStorage
export const ofTab = () => sessionStorage
