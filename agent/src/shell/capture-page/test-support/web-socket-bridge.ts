import { decodeFrame, encodeFrame } from '../../../machine/page/frames.ts'
import { portGreeting } from '../../../machine/page/messages.ts'

/*
 * Hands the page its port as the shell's preload does, with a WebSocket to the page's server at the other end. For
 * tests in a plain browser; no part of the page that is shipped.
 */
const address = new URL('bridge', window.location.href)
address.protocol = 'ws:'
const socket = new WebSocket(address)
socket.binaryType = 'arraybuffer'

const { port1, port2 } = new MessageChannel()
port1.addEventListener('message', ({ data }) => socket.send(encodeFrame(data).slice()))
socket.addEventListener('message', ({ data }) => port1.postMessage(decodeFrame(new Uint8Array(data))))
socket.addEventListener('open', () => {
  port1.start()
  window.postMessage(portGreeting, window.location.origin, [port2])
})
