import type { GapReason } from '@integrity/protocol'
import { DriverError } from '../../core/capture/types.ts'
import { lost, noSound, type StreamSource, type StreamState } from './messages.ts'

/** The browser's errors (Media Capture and Streams, 10.2; Screen Capture, 5.1) as the gaps they leave. */
const reasons: Readonly<Record<string, GapReason>> = {
  NotAllowedError: 'permission_denied',
  PermissionDeniedError: 'permission_denied',
  SecurityError: 'permission_denied',
  NotFoundError: 'unplugged',
  OverconstrainedError: 'unplugged',
  NotSupportedError: 'not_observable',
  [noSound]: 'not_observable',
  [lost.gone]: 'unplugged',
  [lost.swapped]: 'unplugged',
  [lost.refused]: 'permission_lapsed',
  [lost.muted]: 'not_observable',
}

/** What the page refused, as the driver's error. Whatever is not known is a failure of the program. */
export const refusalError = (name: string, detail: string): DriverError =>
  new DriverError(reasons[name] ?? 'driver_failed', `${name}: ${detail}`)

/** Why a stream that is not the same any more leaves a gap. */
export const lossError = (state: Exclude<StreamState, 'same'>, source: StreamSource): DriverError => {
  switch (state) {
    case 'gone':
      return new DriverError('unplugged', 'the device went away')
    case 'swapped':
      return new DriverError('unplugged', 'another device was put in its place')
    case 'refused':
      return new DriverError('permission_lapsed', 'the permission was withdrawn')
    case 'muted':
      return new DriverError('not_observable', 'the system gives nothing of the device (muted)')
    case 'ended':
      // A display's stream that ends by itself was ended in the system's own bar for shared screens.
      return source.kind === 'display' || source.kind === 'loopback'
        ? new DriverError('permission_lapsed', 'the system ended the recording of the display')
        : new DriverError('driver_failed', 'the browser ended the stream')
  }
}
