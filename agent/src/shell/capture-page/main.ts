import * as z from 'zod'
import { portGreeting } from '../../machine/page/messages.ts'
import { servePort } from './serve-port.ts'

// The page's policy lets no text become code.
z.config({ jitless: true })

// The preload script hands over the port of one agent; a second one is not listened to.
const greeted = (event: MessageEvent): void => {
  const [port] = event.ports
  if (event.source !== window || event.data !== portGreeting || !port) return
  window.removeEventListener('message', greeted)
  servePort(port)
}
window.addEventListener('message', greeted)
