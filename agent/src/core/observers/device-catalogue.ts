import type { ListedDeviceKind } from '@integrity/protocol'

export interface ListedDevice {
  /** The name its maker gives it. */
  device: string
  kind: ListedDeviceKind
  /** What its name contains on one system or another: lower case, single blanks. Matched as whole words; a number may follow. */
  names: readonly string[]
}

/** Raised whenever an entry is added, removed or changed; sent with every match. */
export const deviceListVersion = 1

const device = (kind: ListedDeviceKind, name: string, ...names: string[]): ListedDevice => ({
  device: name,
  kind,
  names,
})

/** The published list of cameras and microphones that are programs. The names come from their makers' own manuals and installers. */
export const deviceList: readonly ListedDevice[] = [
  device('virtual_camera', 'OBS Virtual Camera', 'obs virtual camera', 'obs-camera', 'obs camera'),
  device('virtual_camera', 'v4l2loopback', 'dummy video device', 'v4l2loopback'),
  device('virtual_camera', 'ManyCam', 'manycam'),
  device('virtual_camera', 'XSplit VCam', 'xsplit vcam', 'xsplitbroadcaster', 'xsplit broadcaster'),
  device('virtual_camera', 'Snap Camera', 'snap camera'),
  device('virtual_camera', 'mmhmm', 'mmhmm camera', 'airtime camera'),
  device('virtual_camera', 'Camo', 'camo', 'reincubate camo'),
  device('virtual_camera', 'DroidCam', 'droidcam'),
  device('virtual_camera', 'Iriun Webcam', 'iriun webcam'),
  device('virtual_camera', 'EpocCam', 'epoccam'),
  device('virtual_camera', 'iVCam', 'e2esoft ivcam', 'ivcam'),
  device('virtual_camera', 'e2eSoft VCam', 'e2esoft vcam'),
  device('virtual_camera', 'Ecamm Live', 'ecamm live virtual'),
  device('virtual_camera', 'Streamlabs', 'streamlabs desktop virtual webcam', 'streamlabs obs virtual webcam'),
  device('virtual_camera', 'Logi Capture', 'logi capture'),
  device(
    'virtual_camera',
    'CyberLink YouCam',
    'cyberlink webcam splitter',
    'cyberlink webcam virtual driver',
    'youcam',
  ),
  device('virtual_camera', 'SplitCam', 'splitcam'),
  device('virtual_camera', 'vMix', 'vmix video'),
  device('virtual_camera', 'NDI Webcam', 'ndi webcam', 'ndi video', 'ndi virtual', 'newtek ndi'),
  device('virtual_camera', 'Unity Video Capture', 'unity video capture'),
  device('virtual_camera', 'CamTwist', 'camtwist'),
  device('virtual_camera', 'Wirecast', 'wirecast virtual camera'),
  device('virtual_camera', 'FineCam', 'finecam'),
  device('virtual_camera', 'Elgato Virtual Camera', 'elgato virtual camera'),
  device('virtual_camera', 'Prezi Camera', 'prezi camera', 'prezi video'),
  device('virtual_camera', 'ChromaCam', 'chromacam'),
  device('virtual_camera', 'PRISM Live Studio', 'prism live studio'),
  device('virtual_camera', 'Windows virtual camera', 'windows virtual camera'),
  device('virtual_camera', 'AlterCam', 'altercam'),
  device('virtual_camera', 'WebcamMax', 'webcammax'),
  device('virtual_camera', 'scrcpy', 'scrcpy'),
  device('virtual_sound', 'NVIDIA Broadcast', 'nvidia broadcast', 'nvidia rtx voice'),
  device(
    'virtual_sound',
    'VB-Audio Virtual Cable',
    'vb-audio',
    'vb-cable',
    'cable output',
    'cable-a output',
    'cable-b output',
  ),
  device('virtual_sound', 'Voicemeeter', 'voicemeeter'),
  device('virtual_sound', 'BlackHole', 'blackhole'),
  device('virtual_sound', 'Loopback', 'loopback audio'),
  device('virtual_sound', 'Soundflower', 'soundflower'),
  device('virtual_sound', 'Virtual Audio Cable', 'virtual audio cable'),
  device('virtual_sound', 'Background Music', 'background music'),
  device('virtual_sound', 'eqMac', 'eqmac'),
  device('virtual_sound', 'iShowU Audio Capture', 'ishowu audio capture'),
  device('virtual_sound', 'Zoom Audio Device', 'zoomaudiodevice'),
  device('virtual_sound', 'Microsoft Teams Audio', 'microsoft teams audio', 'msteams audio'),
  device('virtual_sound', 'SteelSeries Sonar', 'steelseries sonar'),
  device('virtual_sound', 'Elgato Wave Link', 'wave link', 'elgato virtual audio'),
  device('virtual_sound', 'PulseAudio null sink', 'null output', 'dummy output', 'monitor of null'),
  device('virtual_sound', 'PulseAudio remapped source', 'remapped'),
  device('virtual_sound', 'JACK', 'jack source'),
  device('virtual_microphone', 'Krisp', 'krisp'),
  device('virtual_microphone', 'Voicemod', 'voicemod'),
  device('virtual_microphone', 'MorphVOX', 'screaming bee', 'morphvox'),
  device('virtual_microphone', 'Voice.ai', 'voice.ai', 'voiceai'),
  device('virtual_microphone', 'AudioRelay', 'audiorelay', 'virtual mic for audiorelay'),
  device('virtual_microphone', 'WO Mic', 'wo mic'),
  device('virtual_microphone', 'Steam Streaming Microphone', 'steam streaming microphone'),
  device('virtual_microphone', 'RØDE virtual devices', 'røde connect', 'rode connect', 'røde unify', 'rode unify'),
]

/** A device name as the list spells it. */
export const normalisedDeviceName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const patterns = deviceList.map((entry) => ({
  entry,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${entry.names.map(escaped).join('|')})(?!\\p{L})`, 'u'),
}))

/** The entry whose name this device's name contains, if there is one. */
export const matchDeviceName = (name: string): ListedDevice | undefined => {
  const normalised = normalisedDeviceName(name)
  return patterns.find(({ pattern }) => pattern.test(normalised))?.entry
}
