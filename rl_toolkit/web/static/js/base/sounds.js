/** Short sounds, made when they are heard: no files. They are off unless a visitor wants them. */

/** Each sound is a row of notes: frequency in Hz, when it begins, how long it lasts, in seconds. */
const SOUNDS = {
  move: [[320, 0, 0.06]],
  answer: [[240, 0, 0.07]],
  won: [[440, 0, 0.12], [554, 0.12, 0.12], [659, 0.24, 0.22]],
  lost: [[330, 0, 0.15], [262, 0.15, 0.3]],
  drawn: [[330, 0, 0.15], [330, 0.18, 0.2]],
  refused: [[140, 0, 0.12]],
  clock: [[880, 0, 0.05]],
};
const LOUDNESS = 0.12;

let audio = null; // browsers let a page make sounds after the first click only

/** Play a sound by its name. */
export function sound(name) {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  for (const [pitch, begin, length] of SOUNDS[name]) note(pitch, audio.currentTime + begin, length);
}

function note(pitch, begin, length) {
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.008); // no click at the beginning
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + length + 0.02);
}
