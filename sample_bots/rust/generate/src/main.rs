//! Generates the code of the protocol, `src/generated/king.v1.rs`, from `proto/`. Run in the kit's root:
//! `cargo run --manifest-path generate/Cargo.toml`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let descriptors = protox::compile(["king/v1/arena.proto"], ["proto"])?;
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .out_dir("src/generated")
        .compile_fds(descriptors)?;
    Ok(())
}
