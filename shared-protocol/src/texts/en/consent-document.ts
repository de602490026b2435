/** The consent document. A change of its words needs a new version of the document. */
export const texts = {
  lanes: {
    screen: {
      title: 'Your screen',
      text: 'Pictures of your displays while the interview runs, one {every} and one when the picture changes because another program comes to the front. Everything visible on them can be seen by the reviewers.',
    },
    microphone: {
      title: 'Your microphone',
      text: 'The sound your microphone hears during the interview.',
    },
    system_audio: {
      title: "Your computer's sound",
      text: 'What your computer plays through its speakers or headphones, kept apart from your microphone. The voices of the people who speak with you are recorded in it.',
    },
    transcript: {
      title: 'A written transcript',
      text: 'The words spoken, yours and those of the people who speak with you, written down by a program on your computer.',
    },
    camera: {
      title: 'Your camera',
      text: 'Pictures from your camera, one {every}.',
    },
    side_view: {
      title: 'Your phone as a side camera',
      text: 'A second view of your desk from your phone. One photo of where the phone stands is kept. People of the organisation can watch the small live picture while it is on: it is not kept, but who watched, and when, is recorded; clips are kept only if the organisation asks for them. The phone also tells its battery, the kind of its network, whether it is upright or on its side, and whether its page is in front. No sound is taken, and nothing else of the phone.',
    },
    room_camera: {
      title: 'The camera in the room',
      text: 'Pictures from the browser in the interview room, one {every}. No sound and no film is taken, and nothing of what else that computer does.',
    },
    signals: {
      title: 'What happens on the computer',
      text: "Technical events, so that people who look at the interview can see what was running and connected, and why a part is missing. Displays, cameras and sound devices that are connected or removed, with their names, and software devices, such as virtual cameras and microphones. The name of the program in front, and programs of a published list: remote control, meetings, screen recording, virtual cameras and virtual sound. Windows that a program keeps out of recordings: the program's name, the window's place and for how long. When the screen was locked, when the computer slept and for how long, and when keyboard and mouse rested for a minute or more. Changes of the displays' size and place, of the network (the names of its connections, never addresses) and of the clock. Signs that the computer is a virtual machine. That the clipboard was used, and how often. Which other programs record the microphone, the camera or what the computer plays, with their names, and for how long: never what they record, and never the program of this interview's video call. The name of the speakers or headset in use, how many keyboards and mice there are and by what they are connected, and the socket and maker of each display: never a serial number. Whether this desktop is shown on another computer. How many keys programs sent in a minute, and for how many seconds of it a keyboard was used: never which keys. When the camera is recorded and its picture stays exactly the same for a minute or more: since when, for how long, and whether it is of a single colour.",
    },
  },
  everySecond: 'every second',
  everySeconds: 'every {n} seconds',
  cameraClipsOnly: 'Short clips from your camera.',
  microphoneCandidateOnly:
    "Your computer's sound is not recorded: the people who speak with you are heard only where your microphone picks them up.",
  transcriptCandidateOnly:
    'Your own words alone, written down by a program on your computer. The words of the people who speak with you are not kept.',
  screenFilm: 'A film of the displays is recorded as well.',
  cameraClips: 'Short clips are recorded as well.',
  signalsNever:
    'Never window titles, key strokes or clipboard content. Never observed: where you look, your face, feelings, tone of voice or rhythm of typing, your room, and whether you use a program that helps you to read, hear or write.',
  signalsWithTitles:
    'This organisation also asks for the titles of windows. Never key strokes or clipboard content. Never observed: where you look, your face, feelings, tone of voice or rhythm of typing, your room, and whether you use a program that helps you to read, hear or write.',
} as const
